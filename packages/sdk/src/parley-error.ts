/** Whatever a client of this package throws, so that one `instanceof` tells it from other mistakes. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError'
}
