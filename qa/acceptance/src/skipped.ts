/** Thrown if the deployment lacks an optional feature that the check needs. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}
