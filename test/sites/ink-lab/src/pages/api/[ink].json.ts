export const getStaticPaths = () => ["iron", "sepia"].map((ink) => ({ params: { ink } }));
export const GET = ({ params }: { params: { ink: string } }) => Response.json({ note: `${params.ink} keeps for ages` });
