#!/usr/bin/env node
/** The command `gloss-mock` of the package of that name. */
import '../mock/main.ts'
