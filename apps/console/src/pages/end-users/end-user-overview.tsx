import { Stack } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { CopyField } from '../../parts/copy-field'
import { Facts } from '../../parts/facts'
import { MetadataFacts } from '../../parts/metadata-facts'
import { Section } from '../../parts/section'
import { Timestamp } from '../../parts/timestamp'

export function EndUserOverview({ endUser }: { readonly endUser: EndUser }) {
  const { id, externalId, name, metadata, firstSeenAt, lastSeenAt, conversationCount } = endUser
  return (
    <Stack maw="62rem">
      <Section title="Details">
        <Facts
          facts={{
            Name: name,
            'External ID': <CopyField value={externalId} label="external ID" />,
            ID: <CopyField value={id} label="end user ID" />,
            'First seen': <Timestamp at={firstSeenAt} />,
            'Last seen': <Timestamp at={lastSeenAt} />,
            Conversations: conversationCount.toLocaleString(),
          }}
        />
      </Section>
      <Section title="Metadata">
        <MetadataFacts metadata={metadata} />
      </Section>
    </Stack>
  )
}
