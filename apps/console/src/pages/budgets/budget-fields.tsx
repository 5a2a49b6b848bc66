import { Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useKeyDirectory } from '../../data/use-directory'
import { AgentSelect } from '../../parts/agent-select'
import { NumberField } from '../../parts/number-field'
import type { BudgetDraft } from './budget-draft'

interface BudgetFieldsProps {
  readonly draft: BudgetDraft
  readonly mistakes: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<BudgetDraft>) => void
}

export function BudgetFields(props: BudgetFieldsProps) {
  const { draft, mistakes, isReadOnly, onChange } = props
  return (
    <Stack>
      <TextInput
        label="Name"
        description="Refusals tell it."
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={mistakes.name}
        readOnly={isReadOnly}
      />
      <ForWhom {...props} />
      <Limit {...props} />
      <NumberField
        label="Warn at"
        description="A warning is recorded, and told to webhooks."
        suffix=" %"
        min={1}
        max={100}
        allowDecimal={false}
        value={draft.warnAtPercent}
        onChange={(warnAtPercent) => onChange({ warnAtPercent })}
        error={mistakes.warnAtPercent}
        readOnly={isReadOnly}
        w="20rem"
      />
      <Radio.Group
        label="When it is used up"
        description="New sessions, questions and task runs are refused until the next period, and an answer in text ends after its step."
        value={draft.onExceeded}
        onChange={(value) => onChange({ onExceeded: value === 'end' ? 'end' : 'refuse' })}
        error={mistakes.onExceeded}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="refuse" label="Sessions that run may finish" disabled={isReadOnly} />
          <Radio value="end" label="Sessions that run are told, and ended" disabled={isReadOnly} />
        </Stack>
      </Radio.Group>
    </Stack>
  )
}

const scopes = [
  ['organization', 'The organization'],
  ['agent', 'An agent'],
  ['key', 'A key'],
] as const

function ForWhom({ draft, mistakes, isReadOnly, onChange }: BudgetFieldsProps) {
  const keys = useKeyDirectory()
  return (
    <>
      <Radio.Group
        label="For"
        value={draft.scope}
        onChange={(value) => {
          const scope = scopes.find(([name]) => name === value)?.[0]
          if (scope !== undefined) onChange({ scope })
        }}
      >
        <Group gap="md" mt={4}>
          {scopes.map(([scope, words]) => (
            <Radio key={scope} value={scope} label={words} disabled={isReadOnly} />
          ))}
        </Group>
      </Radio.Group>
      {draft.scope === 'agent' && (
        <AgentSelect
          label="Agent"
          placeholder="Choose one"
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
          error={mistakes.agentId}
        />
      )}
      {draft.scope === 'key' && (
        <Select
          label="Key"
          placeholder="Choose one"
          searchable
          data={(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.apiKeyId}
          onChange={(apiKeyId) => onChange({ apiKeyId })}
          error={mistakes.apiKeyId}
          readOnly={isReadOnly}
          nothingFoundMessage="No key of that name"
        />
      )}
    </>
  )
}

function Limit({ draft, mistakes, isReadOnly, onChange }: BudgetFieldsProps) {
  const isMoney = draft.unit === 'amount'
  const mistake = mistakes.limit ?? Object.entries(mistakes).find(([path]) => path.startsWith('limit.'))?.[1]
  return (
    <Group grow align="start">
      <NumberField
        label="Limit"
        description={isMoney ? 'What has no price does not count.' : 'Those from caches count too.'}
        required
        min={0}
        allowDecimal={isMoney}
        decimalScale={6}
        prefix={isMoney ? '$ ' : ''}
        thousandSeparator=" "
        value={draft.limit}
        onChange={(limit) => onChange({ limit })}
        error={mistake}
        readOnly={isReadOnly}
      />
      <Select
        label="Of"
        description="What is counted."
        allowDeselect={false}
        data={[
          { value: 'amount', label: 'US dollars' },
          { value: 'tokens', label: 'Tokens' },
        ]}
        value={draft.unit}
        onChange={(unit) => onChange({ unit: unit === 'tokens' ? 'tokens' : 'amount' })}
        readOnly={isReadOnly}
      />
      <Select
        label="In"
        description="Begins at midnight, UTC."
        allowDeselect={false}
        data={[
          { value: 'day', label: 'A day' },
          { value: 'month', label: 'A month' },
        ]}
        value={draft.period}
        onChange={(period) => onChange({ period: period === 'day' ? 'day' : 'month' })}
        readOnly={isReadOnly}
      />
    </Group>
  )
}
