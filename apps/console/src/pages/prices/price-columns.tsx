import { Text } from '@mantine/core'
import type { Price } from '@parley/sdk'
import type { Column } from '../../parts/row-list'
import { connectionKinds } from '../connections/connection-kinds'

const money = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 6,
})

/** Per million tokens or per hour. */
export const priceColumns: readonly Column<Price & { readonly id: string }>[] = [
  { title: 'Model', width: '2fr', cell: (price) => <Model price={price} /> },
  { title: 'Provider', width: '1.2fr', isMinor: true, cell: ({ kind }) => connectionKinds[kind].label },
  { title: 'Text input', width: '6rem', cell: ({ perMillion }) => <Amount of={perMillion.textInput} /> },
  {
    title: 'Cached text',
    width: '6rem',
    isMinor: true,
    cell: ({ perMillion }) => <Amount of={perMillion.cachedTextInput} />,
  },
  { title: 'Text output', width: '6rem', cell: ({ perMillion }) => <Amount of={perMillion.textOutput} /> },
  {
    title: 'Audio input',
    width: '6rem',
    isMinor: true,
    cell: ({ perMillion }) => <Amount of={perMillion.audioInput} />,
  },
  {
    title: 'Audio output',
    width: '6rem',
    isMinor: true,
    cell: ({ perMillion }) => <Amount of={perMillion.audioOutput} />,
  },
  { title: 'Per hour', width: '6rem', isMinor: true, cell: ({ perHour }) => <Amount of={perHour} /> },
]

function Model({ price: { model, aboveInputTokens, validFrom } }: { readonly price: Price }) {
  const conditions = [
    aboveInputTokens > 0 && `above ${aboveInputTokens.toLocaleString()} input tokens`,
    Date.parse(validFrom) > 0 && `from ${validFrom.slice(0, 10)}`,
  ].filter((part) => part !== false)
  return (
    <span title={[model, ...conditions].join(', ')}>
      {model}{' '}
      <Text span size="xs" c="dimmed">
        {conditions.join(', ')}
      </Text>
    </span>
  )
}

function Amount({ of }: { readonly of: number | null }) {
  if (of === null)
    return (
      <Text span inherit c="dimmed" aria-label="none">
        —
      </Text>
    )
  return <span data-figures>{of === 0 ? 'free' : money.format(of)}</span>
}
