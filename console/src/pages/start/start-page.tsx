import { Navigate } from '@tanstack/react-router'
import { navigation } from '../../app/pages'
import { useConsole } from '../../data/console-context'

/** The first page that the person may see. */
export function StartPage() {
  const { may } = useConsole()
  const first = navigation.flatMap(({ entries }) => entries).find(({ scope }) => may(scope))
  return first === undefined ? null : <Navigate to={first.path} replace />
}
