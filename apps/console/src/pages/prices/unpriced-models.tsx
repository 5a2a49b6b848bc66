import { Alert, Button, Group, Text } from '@mantine/core'
import type { Price, Usage } from '@parley/sdk'
import { IconQuestionMark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../data/console-context'
import { useConnectionDirectory } from '../../data/use-directory'

type Unpriced = Pick<Price, 'kind' | 'model'>

const maxShown = 8

interface UnpricedModelsProps {
  /** The organization's own prices. */
  readonly own: readonly Price[]
  readonly onPrice: (start: Unpriced) => void
}

/** Recently used models without a price, each with a button to set one. */
export function UnpricedModels({ own, onPrice }: UnpricedModelsProps) {
  const { parley, may } = useConsole()
  const usage = useQuery({
    queryKey: ['Usage', 'unpriced'],
    queryFn: async () => parley.usages.get({ GroupBy: 'model,connection' }),
    enabled: may('usage:write'),
  })
  const connections = useConnectionDirectory()
  const kinds = new Map(connections.data?.map(({ id, kind }) => [id, kind]))
  // Earlier usage stays unpriced, so models that have a price now are left out.
  const models = unpricedOf(usage.data, kinds).filter((model) => !own.some((price) => isFor(price, model)))
  if (models.length === 0) return null
  return (
    <Alert
      color="orange"
      icon={<IconQuestionMark size={18} />}
      title="Models without a price in the last 30 days"
    >
      <Text size="sm" mb="xs">
        Their cost is unknown and does not count toward budgets in dollars.
      </Text>
      <Group gap="xs">
        {models.slice(0, maxShown).map(({ kind, model }) => (
          <Button
            key={`${kind} ${model}`}
            size="xs"
            variant="default"
            onClick={() => onPrice({ kind, model })}
          >
            Set price of {model}
          </Button>
        ))}
      </Group>
    </Alert>
  )
}

function unpricedOf(
  usage: Usage | undefined,
  kinds: ReadonlyMap<string, Price['kind']>,
): readonly Unpriced[] {
  const found = new Map<string, Unpriced>()
  for (const { group, cost } of usage?.items ?? []) {
    const kind = kinds.get(group.connectionId ?? '')
    if (group.model === undefined || kind === undefined) continue
    if (cost.unpricedTokens + cost.unpricedSeconds > 0)
      found.set(`${kind} ${group.model}`, { kind, model: group.model })
  }
  return [...found.values()]
}

function isFor(price: Price, { kind, model }: Unpriced): boolean {
  if (price.kind !== kind) return false
  return price.model.endsWith('*') ? model.startsWith(price.model.slice(0, -1)) : model === price.model
}
