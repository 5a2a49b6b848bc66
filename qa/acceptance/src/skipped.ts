/** The deployment has not what a check looks at, and need not have it. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}
