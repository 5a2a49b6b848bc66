import { Text, Tooltip } from '@mantine/core'
import type { Cost } from '@parley/sdk'
import { formatCost } from '../data/format-cost'

/** A cost in little space. The tooltip explains what is missing. */
export function CostText({ cost }: { readonly cost: Cost }) {
  const { amount, missing } = formatCost(cost)
  if (missing === null) return <span data-figures>{amount}</span>
  return (
    <Tooltip label={missing} openDelay={400} multiline maw="20rem">
      <Text span inherit c="dimmed" data-figures>
        {amount}
      </Text>
    </Tooltip>
  )
}
