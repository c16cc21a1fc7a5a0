export default "note one";
