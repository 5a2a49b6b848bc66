/** The work that a shutdown waits for. */
export interface DrainOptions {
  /**
   * Also ends silent sessions, and turns that only wait for approval, even if a client follows them. For
   * an operator who waits for the process to end.
   */
  readonly onlyActive?: boolean
}
