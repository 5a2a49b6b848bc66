import { Navigate } from '@tanstack/react-router'
import { firstPath } from '../../app/pages'
import { useConsole } from '../../data/console-context'

/** The first page that the person may see. */
export function StartPage() {
  const { may } = useConsole()
  const first = firstPath(may)
  return first === undefined ? null : <Navigate to={first} replace />
}
