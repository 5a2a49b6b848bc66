import { Checkbox, Fieldset, Input, Stack, Text } from '@mantine/core'
import styles from '../../parts/row-field.module.css'
import { type EventType, eventGroups } from './event-labels'
import type { WebhookDraft } from './webhook-draft'

interface EventFieldsProps {
  readonly draft: WebhookDraft
  readonly error: string | undefined
  readonly onChange: (fields: Partial<WebhookDraft>) => void
}

/** Selects the events: all, by group, or one by one. */
export function EventFields({ draft, error, onChange }: EventFieldsProps) {
  const { isAllEvents, events } = draft
  const choose = (types: readonly EventType[], isChosen: boolean) => {
    const others = events.filter((event) => !types.some((type) => type === event))
    onChange({ events: isChosen ? [...others, ...types] : others })
  }
  return (
    <Fieldset legend="Events" variant="unstyled" classNames={{ legend: styles.legend }}>
      <Stack gap="sm">
        <Checkbox
          label="All events"
          description="Includes events added in later versions."
          checked={isAllEvents}
          onChange={({ currentTarget }) => onChange({ isAllEvents: currentTarget.checked })}
          error={error !== undefined}
        />
        {!isAllEvents &&
          eventGroups.map((group) => (
            <Group key={group.title} {...group} chosen={events} onChoose={choose} />
          ))}
        {error !== undefined && <Input.Error>{error}</Input.Error>}
      </Stack>
    </Fieldset>
  )
}

interface GroupProps {
  readonly title: string
  readonly events: readonly { readonly type: EventType; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChoose: (types: readonly EventType[], isChosen: boolean) => void
}

function Group({ title, events, chosen, onChoose }: GroupProps) {
  const types = events.map(({ type }) => type)
  const count = types.filter((type) => chosen.includes(type)).length
  return (
    <Stack gap={6}>
      <Checkbox
        label={title}
        fw={600}
        checked={count === types.length}
        indeterminate={count > 0 && count < types.length}
        onChange={() => onChoose(types, count < types.length)}
      />
      <Stack gap={6} pl="xl">
        {events.map(({ type, label }) => (
          <Checkbox
            key={type}
            size="xs"
            checked={chosen.includes(type)}
            onChange={({ currentTarget }) => onChoose([type], currentTarget.checked)}
            label={
              <>
                {label}{' '}
                <Text span size="xs" c="dimmed" ff="monospace">
                  {type}
                </Text>
              </>
            }
          />
        ))}
      </Stack>
    </Stack>
  )
}
