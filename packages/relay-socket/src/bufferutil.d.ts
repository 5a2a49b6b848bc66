declare module 'bufferutil' {
  const bufferUtil: {
    /** Removes the mask of a payload in place. */
    unmask(payload: Buffer, key: Buffer): void
  }
  export default bufferUtil
}
