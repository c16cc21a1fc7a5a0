export default "note two";
