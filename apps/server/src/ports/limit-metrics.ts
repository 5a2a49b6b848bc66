/** What is counted of limits and of what is kept for a time. */
export interface LimitMetrics {
  /** Somebody was refused because their organization has reached this limit. Whose it is, no label says. */
  limitReached(limit: string): void
}
