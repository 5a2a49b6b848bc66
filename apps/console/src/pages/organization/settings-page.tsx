import { Button, Group, Skeleton, Stack } from '@mantine/core'
import type { ConversationRetention } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import { useChange } from '../../data/use-change'
import { ErrorNotice } from '../../parts/error-notice'
import { LeaveGuard } from '../../parts/leave-guard'
import { NumberField } from '../../parts/number-field'
import { PageFrame } from '../../parts/page-frame'
import { isValidRetention, RetentionPreview } from '../../parts/retention-preview'
import { Section } from '../../parts/section'

/** Settings of the organization. */
export function SettingsPage() {
  const { parley } = useConsole()
  const retention = useQuery({
    queryKey: ['ConversationRetention'],
    queryFn: async () => parley.conversationRetentions.get(),
  })
  return (
    <PageFrame title="Settings" about="Settings of the organization.">
      <Stack maw="62rem">
        {retention.error !== null && retention.data === undefined && (
          <ErrorNotice error={retention.error} onRetry={() => void retention.refetch()} />
        )}
        {retention.isPending && <Skeleton h={180} />}
        {retention.data !== undefined && (
          <RetentionForm key={retention.data.conversationRetentionDays} saved={retention.data} />
        )}
      </Stack>
    </PageFrame>
  )
}

function RetentionForm({ saved }: { readonly saved: ConversationRetention }) {
  const { parley } = useConsole()
  const { conversationRetentionDays: before } = saved
  const [days, setDays] = useState<number | ''>(before ?? '')
  const after = days === '' ? null : days
  const save = useChange({
    change: async () => parley.conversationRetentions.patch({ conversationRetentionDays: after }),
    changes: ['ConversationRetention', 'Conversation'],
    done: 'Settings saved.',
    isErrorShown: true,
  })
  const isWrong = after !== null && !isValidRetention(after)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrong) save.mutate(undefined)
  }
  const rejected = fieldErrorsOf(save.error).conversationRetentionDays
  return (
    <Section title="Conversations">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <NumberField
            label="Retention"
            description="Removes conversations this many days after their last activity. Leave empty to keep them. An agent can have its own value."
            placeholder="Keep"
            suffix=" days"
            allowDecimal={false}
            allowNegative={false}
            maw="24rem"
            value={days}
            onChange={setDays}
            error={isWrong ? 'Must be from 1 to 36,500 days' : rejected}
          />
          <RetentionPreview days={after} />
          {save.error !== null && rejected === undefined && <ErrorNotice error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={after === before}>
              Save changes
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard isDirty={after !== before} />
    </Section>
  )
}
