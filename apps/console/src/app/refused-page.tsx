import { Anchor } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useConsole } from '../data/console-context'
import { EmptyState } from '../parts/empty-state'

/** Shown if the user's role does not include the page. */
export function RefusedPage() {
  const { membership } = useConsole()
  return (
    <EmptyState icon={IconLock} title="Your role does not include this page">
      You are {membership.role} of {membership.name}. An owner or admin can change that.{' '}
      <Anchor component={Link} to="/">
        Go to the start
      </Anchor>
    </EmptyState>
  )
}
