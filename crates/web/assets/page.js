// Pages that are only read: the rulebook, the sheets for paper.
import { wireDialogs } from "./dialogs.js";

wireDialogs();
