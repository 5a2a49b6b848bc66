import { Navigate } from '@tanstack/react-router'
import { firstPath } from '../../app/pages'
import { useConsole } from '../../data/console-context'

/** Redirects to the first page that the user may see. */
export function StartPage() {
  const { may } = useConsole()
  const first = firstPath(may)
  return first === undefined ? null : <Navigate to={first} replace />
}
