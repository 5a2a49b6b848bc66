import { Select, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { NumberField } from '../../parts/number-field'
import { kindOf, kindOptions } from '../connections/connection-kinds'
import { type PriceDraft, priceFields } from './price-draft'

interface PriceFieldsProps {
  readonly draft: PriceDraft
  readonly mistakes: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<PriceDraft>) => void
}

export function PriceFields(props: PriceFieldsProps) {
  const { draft, mistakes, isReadOnly, onChange } = props
  return (
    <>
      <Text size="sm" c="dimmed">
        It counts for what is used from now on: what was used before keeps the cost it was counted with. What
        is left empty has no price; 0 is free.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Model"
          description="Its name, or how it begins and a *"
          placeholder="gpt-5-mini*"
          required
          data-autofocus
          value={draft.model}
          onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
          error={mistakes.model}
          readOnly={isReadOnly}
        />
        <Select
          label="Kind of connection"
          description="It holds for connections of this kind."
          data={kindOptions}
          allowDeselect={false}
          value={draft.kind}
          onChange={(value) => {
            const kind = kindOf(value)
            if (kind !== null) onChange({ kind })
          }}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <TokenPrices {...props} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="An hour of sound"
          description="Where it is paid for by the time."
          {...priceInput}
          value={draft.perHour}
          onChange={(perHour) => onChange({ perHour })}
          readOnly={isReadOnly}
        />
        <NumberField
          label="Above so many tokens read"
          description="Where long ones have a price of their own."
          min={0}
          allowDecimal={false}
          thousandSeparator=" "
          value={draft.aboveInputTokens}
          onChange={(aboveInputTokens) => onChange({ aboveInputTokens })}
          readOnly={isReadOnly}
        />
        <TextInput
          label="Holds from"
          description="In UTC. Left empty: at once."
          type="date"
          value={draft.validFrom}
          onChange={({ currentTarget }) => onChange({ validFrom: currentTarget.value })}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
    </>
  )
}

function TokenPrices({ draft, mistakes, isReadOnly, onChange }: PriceFieldsProps) {
  return (
    <>
      <Title order={2} fz="sm">
        A million tokens of
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
        {priceFields.map(({ name, label, placeholder = 'not known' }) => (
          <NumberField
            key={name}
            label={label}
            placeholder={placeholder}
            {...priceInput}
            value={draft.perMillion[name]}
            onChange={(value) => onChange({ perMillion: { ...draft.perMillion, [name]: value } })}
            error={mistakes[name]}
            readOnly={isReadOnly}
          />
        ))}
      </SimpleGrid>
    </>
  )
}

const priceInput = { prefix: '$ ', min: 0, decimalScale: 6, hideControls: true } as const
