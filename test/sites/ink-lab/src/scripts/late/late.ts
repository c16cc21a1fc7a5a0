import "./late.css";
import { say } from "../say";

say("late", "came late");
