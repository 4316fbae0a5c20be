/** The module that jest loads. Jest would compile a TypeScript runner itself; here Node does so. */
export { default } from './run-in-node.ts'
