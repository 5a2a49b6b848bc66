import { Select, SimpleGrid } from '@mantine/core'
import { useBuiltInText } from '../../data/use-directory'
import { NumberField } from '../../parts/number-field'
import { RetentionPreview } from '../../parts/retention-preview'
import { Section } from '../../parts/section'
import type { TabProps } from './use-agent-editor'

const memories = [
  { value: 'off', label: 'Off' },
  { value: 'facts', label: 'Facts' },
]

const limits = [
  { name: 'questionsPerMinute', label: 'Questions per minute', isWhole: true },
  { name: 'concurrentSessions', label: 'Concurrent voice sessions', isWhole: true },
  { name: 'tokensPerDay', label: 'Tokens per day', isWhole: true },
  { name: 'costPerDay', label: 'Cost per day in US dollars', isWhole: false },
] as const

/** Memory, retention and limits. */
export function EndUserFields({ editing: { draft, base, errors, change }, isReadOnly }: TabProps) {
  const { conversationRetentionDays: days, endUserLimits, memory } = draft
  const isBuiltIn = useBuiltInText()(draft.connectionId)
  return (
    <Section title="End users">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Memory"
          description={
            memory === 'off'
              ? 'The agent remembers nothing across conversations.'
              : isBuiltIn
                ? 'The built-in text model neither extracts nor uses facts. Choose another connection.'
                : 'Extracts short facts after each conversation. Later ones start with them.'
          }
          data={memories}
          value={memory}
          onChange={(value) => change({ memory: value === 'facts' ? 'facts' : 'off' })}
          allowDeselect={false}
          error={errors.memory}
          readOnly={isReadOnly}
        />
        <NumberField
          label="Conversation retention"
          description="Days after the last activity. Leave empty for the setting of the organization."
          placeholder="Organization default"
          suffix=" days"
          allowDecimal={false}
          allowNegative={false}
          value={days ?? ''}
          onChange={(value) => change({ conversationRetentionDays: value === '' ? null : value })}
          error={errors.conversationRetentionDays}
          readOnly={isReadOnly}
        />
        {limits.map(({ name, label, isWhole }) => (
          <NumberField
            key={name}
            label={label}
            description="Limit of each end user."
            placeholder="No limit"
            allowDecimal={!isWhole}
            allowNegative={false}
            thousandSeparator=","
            value={endUserLimits[name] ?? ''}
            onChange={(value) =>
              change({ endUserLimits: { ...endUserLimits, [name]: value === '' ? null : value } })
            }
            error={errors[`endUserLimits.${name}`]}
            readOnly={isReadOnly}
          />
        ))}
      </SimpleGrid>
      {base !== null && days !== base.agent.conversationRetentionDays && (
        <RetentionPreview days={days} agentId={base.agent.id} />
      )}
    </Section>
  )
}
