import { Stack } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import { CopyField } from '../../parts/copy-field'
import { EndUserLink } from '../../parts/end-user-link'
import { Facts } from '../../parts/facts'
import { MetadataFacts } from '../../parts/metadata-facts'
import { Section } from '../../parts/section'

export function ConversationDetails({ conversation }: { readonly conversation: Conversation }) {
  const { id, externalUserId, metadata } = conversation
  return (
    <Stack maw="62rem">
      <Section title="Details">
        <Facts
          facts={{
            ID: <CopyField value={id} label="conversation ID" />,
            'End user': <EndUserLink of={conversation} />,
            'External user ID': externalUserId !== null && (
              <CopyField value={externalUserId} label="external user ID" />
            ),
          }}
        />
      </Section>
      <Section title="Metadata">
        <MetadataFacts metadata={metadata} />
      </Section>
    </Stack>
  )
}
