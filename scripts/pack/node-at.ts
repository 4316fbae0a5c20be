/**
 * The option with which Node takes itself for the one at a path. `gloss init --systemd` refuses a Node in a home folder, where
 * that of a checkout may be.
 */
export const nodeAt = (path: string): string => `--import=data:text/javascript,process.execPath='${path}'`
