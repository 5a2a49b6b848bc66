import { Anchor } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useConsole } from '../data/console-context'
import { EmptyState } from '../parts/empty-state'

/** Shown if the user's role does not include the page. */
export function ForbiddenPage() {
  const { membership } = useConsole()
  return (
    <EmptyState icon={IconLock} title="You do not have access to this page">
      Your role is {membership.role} in {membership.name}. Ask an owner or admin for access.{' '}
      <Anchor component={Link} to="/">
        Back to home
      </Anchor>
    </EmptyState>
  )
}
