/** What jest loads: it would compile a runner in TypeScript itself, where Node does. */
export { default } from './run-in-node.ts'
