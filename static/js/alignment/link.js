/** The page for linking words. */

import { Bench } from "./bench.js";
import { startLinking } from "./linking.js";

startLinking((calls) => new Bench(calls));
