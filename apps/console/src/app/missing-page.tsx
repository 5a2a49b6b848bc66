import { Anchor } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/empty-state'

export function MissingPage() {
  return (
    <EmptyState icon={IconMapOff} title="There is no such page">
      The address may be from an older version.{' '}
      <Anchor component={Link} to="/">
        Go to the start
      </Anchor>
    </EmptyState>
  )
}
