import { ErrorNotice } from '../parts/error-notice'
import { PartMissingError } from '../parts/load-part'

interface BrokenPageProps {
  readonly error: unknown
  readonly reset: () => void
}

/** Shown instead of a page that failed to render. */
export function BrokenPage({ error, reset }: BrokenPageProps) {
  if (error instanceof PartMissingError)
    return <ErrorNotice error={error} onRetry={() => location.reload()} retry="Reload" />
  return <ErrorNotice error={error} onRetry={reset} />
}
