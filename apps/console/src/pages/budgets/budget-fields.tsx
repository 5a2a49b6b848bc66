import { Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useKeyDirectory } from '../../data/use-directory'
import { AgentSelect } from '../../parts/agent-select'
import { NumberField } from '../../parts/number-field'
import type { BudgetDraft } from './budget-draft'

interface BudgetFieldsProps {
  readonly draft: BudgetDraft
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<BudgetDraft>) => void
}

export function BudgetFields(props: BudgetFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  return (
    <Stack>
      <TextInput
        label="Name"
        description="Shown in error messages."
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={errors.name}
        readOnly={isReadOnly}
      />
      <ScopeFields {...props} />
      <Limit {...props} />
      <NumberField
        label="Warn at"
        description="Records a warning and notifies webhooks."
        suffix=" %"
        min={1}
        max={100}
        allowDecimal={false}
        value={draft.warnAtPercent}
        onChange={(warnAtPercent) => onChange({ warnAtPercent })}
        error={errors.warnAtPercent}
        readOnly={isReadOnly}
        w="20rem"
      />
      <Radio.Group
        label="When the limit is reached"
        description="New sessions, questions and task runs are rejected until the next period."
        value={draft.onExceeded}
        onChange={(value) => onChange({ onExceeded: value === 'end' ? 'end' : 'refuse' })}
        error={errors.onExceeded}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="refuse" label="Let running sessions finish" disabled={isReadOnly} />
          <Radio value="end" label="End running sessions" disabled={isReadOnly} />
        </Stack>
      </Radio.Group>
    </Stack>
  )
}

const scopes = [
  ['organization', 'Organization'],
  ['agent', 'Agent'],
  ['key', 'API key'],
] as const

function ScopeFields({ draft, errors, isReadOnly, onChange }: BudgetFieldsProps) {
  const keys = useKeyDirectory()
  return (
    <>
      <Radio.Group
        label="Applies to"
        value={draft.scope}
        onChange={(value) => {
          const scope = scopes.find(([name]) => name === value)?.[0]
          if (scope !== undefined) onChange({ scope })
        }}
      >
        <Group gap="md" mt={4}>
          {scopes.map(([scope, label]) => (
            <Radio key={scope} value={scope} label={label} disabled={isReadOnly} />
          ))}
        </Group>
      </Radio.Group>
      {draft.scope === 'agent' && (
        <AgentSelect
          label="Agent"
          placeholder="Select an agent"
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
          error={errors.agentId}
        />
      )}
      {draft.scope === 'key' && (
        <Select
          label="API key"
          placeholder="Select an API key"
          searchable
          data={(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.apiKeyId}
          onChange={(apiKeyId) => onChange({ apiKeyId })}
          error={errors.apiKeyId}
          readOnly={isReadOnly}
          nothingFoundMessage="No API keys found"
        />
      )}
    </>
  )
}

function Limit({ draft, errors, isReadOnly, onChange }: BudgetFieldsProps) {
  const isMoney = draft.unit === 'amount'
  const error = errors.limit ?? Object.entries(errors).find(([path]) => path.startsWith('limit.'))?.[1]
  return (
    <Group grow align="start">
      <NumberField
        label="Limit"
        description={isMoney ? 'Usage without a price does not count.' : 'Cached tokens count too.'}
        required
        min={0}
        allowDecimal={isMoney}
        decimalScale={6}
        prefix={isMoney ? '$ ' : ''}
        thousandSeparator=" "
        value={draft.limit}
        onChange={(limit) => onChange({ limit })}
        error={error}
        readOnly={isReadOnly}
      />
      <Select
        label="Unit"
        description="What the limit counts."
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
        label="Period"
        description="Starts at midnight UTC."
        allowDeselect={false}
        data={[
          { value: 'day', label: 'Daily' },
          { value: 'month', label: 'Monthly' },
        ]}
        value={draft.period}
        onChange={(period) => onChange({ period: period === 'day' ? 'day' : 'month' })}
        readOnly={isReadOnly}
      />
    </Group>
  )
}
