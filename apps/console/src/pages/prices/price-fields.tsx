import { SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { LabelSelect } from '../../parts/label-select'
import { NumberField } from '../../parts/number-field'
import { connectionKinds } from '../connections/connection-kinds'
import { type PriceDraft, priceFields } from './price-draft'

interface PriceFieldsProps {
  readonly draft: PriceDraft
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<PriceDraft>) => void
}

export function PriceFields(props: PriceFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  return (
    <>
      <Text size="sm" c="dimmed">
        Applies to new usage only. An empty field means no price, and 0 means free.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Model"
          description="Model name, or a prefix followed by *"
          placeholder="gpt-5-mini*"
          required
          data-autofocus
          value={draft.model}
          onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
          error={errors.model}
          readOnly={isReadOnly}
        />
        <LabelSelect
          label="Provider"
          description="Applies to connections of this provider."
          labels={connectionKinds}
          value={draft.kind}
          onChange={(kind) => kind !== null && onChange({ kind })}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <TokenPrices {...props} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Audio per hour"
          description="For models billed by time."
          {...priceInput}
          value={draft.perHour}
          onChange={(perHour) => onChange({ perHour })}
          readOnly={isReadOnly}
        />
        <NumberField
          label="Above input tokens"
          description="For models with a separate price for long inputs."
          min={0}
          allowDecimal={false}
          thousandSeparator=" "
          value={draft.aboveInputTokens}
          onChange={(aboveInputTokens) => onChange({ aboveInputTokens })}
          readOnly={isReadOnly}
        />
        <TextInput
          label="Valid from"
          description="In UTC. Leave empty to apply immediately."
          type="date"
          value={draft.validFrom}
          onChange={({ currentTarget }) => onChange({ validFrom: currentTarget.value })}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
    </>
  )
}

function TokenPrices({ draft, errors, isReadOnly, onChange }: PriceFieldsProps) {
  return (
    <>
      <Title order={2} fz="sm">
        Price per million tokens
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {priceFields.map(({ name, label, placeholder = 'none' }) => (
          <NumberField
            key={name}
            label={label}
            placeholder={placeholder}
            {...priceInput}
            value={draft.perMillion[name]}
            onChange={(value) => onChange({ perMillion: { ...draft.perMillion, [name]: value } })}
            error={errors[name]}
            readOnly={isReadOnly}
          />
        ))}
      </SimpleGrid>
    </>
  )
}

const priceInput = { prefix: '$ ', min: 0, decimalScale: 6, hideControls: true } as const
