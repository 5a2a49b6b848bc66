import { Anchor } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useConsole } from '../data/console-context'
import { EmptyState } from '../parts/empty-state'

/** Where an address leads somebody whose role does not reach so far, or no longer does. */
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
