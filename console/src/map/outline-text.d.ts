/** The module that the build makes of an atlas (coast.ts). */
declare module '*.json?outline' {
  const outline: string
  export default outline
}
