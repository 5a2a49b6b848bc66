import { Anchor } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/empty-state'

export function MissingPage() {
  return (
    <EmptyState icon={IconMapOff} title="Page not found">
      The link may be from an older version.{' '}
      <Anchor component={Link} to="/">
        Back to home
      </Anchor>
    </EmptyState>
  )
}
