import { SimpleGrid } from '@mantine/core'
import type { UsageFigures } from '@parley/sdk'
import { formatCost } from '../../data/format-cost'
import { formatDuration } from '../../data/format-duration'
import { TextLink } from '../../parts/text-link'
import { Total } from '../../parts/total'
import { tokensOf, tokensRead, tokensSaid } from './usage-groups'

/** Totals. Usage without a price is shown separately. */
export function UsageTotals({ totals }: { readonly totals: UsageFigures }) {
  const { cost, tokens, sessions, turns, seconds, toolCalls } = totals
  const { amount, missing } = formatCost(cost)
  const cached = tokens.cachedTextInput + tokens.cachedAudioInput + tokens.cachedImageInput
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', md: 'md' }} m={0}>
      <Total name="Cost" value={amount}>
        {missing}{' '}
        {cost.unpricedTokens + cost.unpricedSeconds > 0 && (
          <TextLink to="/organization/prices" size="xs" underline="always">
            Set prices
          </TextLink>
        )}
      </Total>
      <Total name="Tokens" value={tokensOf(tokens).toLocaleString()}>
        {tokensRead(tokens).toLocaleString()} input
        {cached > 0 && ` (${cached.toLocaleString()} cached)`}, {tokensSaid(tokens).toLocaleString()} output
      </Total>
      <Total name="Model time" value={formatDuration(seconds)}>
        {counted(sessions, 'session', 'sessions')}, {counted(turns, 'text question', 'text questions')}
      </Total>
      <Total name="Tool calls" value={toolCalls.toLocaleString()}>
        {counted(totals.responses, 'model response', 'model responses')}
      </Total>
    </SimpleGrid>
  )
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
