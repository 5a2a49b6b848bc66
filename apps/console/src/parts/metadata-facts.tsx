import { Text } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { Facts } from './facts'

type Metadata = EndUser['metadata']

/** Keys and values in the order of the keys. */
export function MetadataFacts({ metadata }: { readonly metadata: Metadata }) {
  const pairs = Object.entries(metadata).toSorted(([one], [other]) => one.localeCompare(other))
  if (pairs.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No metadata.
      </Text>
    )
  return <Facts facts={Object.fromEntries(pairs.map(([key, value]) => [key, textOf(value)]))} />
}

const textOf = (value: Metadata[string]) => {
  if (value === '') return '""'
  return typeof value === 'boolean' ? (value ? 'true' : 'false') : String(value)
}
