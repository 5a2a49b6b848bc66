/** The base class of every error of this package. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError'
}
