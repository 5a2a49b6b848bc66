import { Button, Group, Tabs, Text } from '@mantine/core'
import type { Price, PriceList } from '@parley/sdk'
import { IconCoin, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useFilter } from '../../data/use-filter'
import { rowsOf } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import { RowList } from '../../parts/row-list'
import { SearchField } from '../../parts/search-field'
import { priceColumns } from './price-columns'
import { draftOf, newPrice, type PriceDraft, priceId } from './price-draft'
import { PriceDrawer } from './price-drawer'
import { UnpricedModels } from './unpriced-models'

interface Opened {
  readonly start: PriceDraft
  readonly before: Price | null
}

/** Prices of models: the organization's own and the defaults. */
export function PricesPage() {
  const { parley, may } = useConsole()
  const [{ tab = 'own' }, setFilter] = useFilter(['tab'])
  const [opened, setOpened] = useState<Opened | null>(null)
  const prices = useQuery({ queryKey: ['Price'], queryFn: async () => parley.prices.get() })
  const add = may('usage:write') && (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => setOpened({ start: newPrice(), before: null })}
    >
      New price
    </Button>
  )
  const own = prices.data?.items
  return (
    <PageFrame
      title="Prices"
      about="Model prices in US dollars. A custom price replaces the built-in one."
      actions={add}
    >
      {prices.error !== null && prices.data === undefined && (
        <ErrorNotice error={prices.error} onRetry={() => void prices.refetch()} />
      )}
      {own !== undefined && (
        <UnpricedModels own={own} onPrice={(start) => setOpened({ start: newPrice(start), before: null })} />
      )}
      <Tabs
        value={tab}
        onChange={(next) => setFilter({ tab: next === 'shipped' ? next : '' })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="own">Custom</Tabs.Tab>
          <Tabs.Tab value="shipped">Built-in</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own">
          <RowList
            isInPage
            label="Custom prices"
            rows={rowsOf(own?.map(withId))}
            columns={priceColumns}
            onOpen={(price) => setOpened({ start: draftOf(price), before: price })}
            empty={
              <EmptyState icon={IconCoin} title="No custom prices yet" action={add}>
                Built-in prices apply. Add a custom price if you have a contract, a deployment or a gateway.
              </EmptyState>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="shipped">
          <Shipped
            defaults={prices.data?.defaults}
            onOpen={(price) => setOpened({ start: draftOf(price), before: null })}
          />
        </Tabs.Panel>
      </Tabs>
      {opened !== null && (
        <PriceDrawer
          key={JSON.stringify(opened.start)}
          start={opened.start}
          before={opened.before}
          own={own ?? []}
          onClose={() => setOpened(null)}
        />
      )}
    </PageFrame>
  )
}

interface ShippedProps {
  readonly defaults: PriceList['defaults'] | undefined
  readonly onOpen: (price: Price) => void
}

/** Opening one starts an own price with its values. */
function Shipped({ defaults, onOpen }: ShippedProps) {
  const { may } = useConsole()
  const [search, setSearch] = useState('')
  const found = defaults?.items.filter(({ model, kind }) =>
    `${kind} ${model}`.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <>
      <Group>
        <SearchField label="Search models" value={search} onSearch={setSearch} />
      </Group>
      <Text size="sm" c="dimmed" my="xs">
        {defaults !== undefined && `As of ${defaults.date}, from ${defaults.source}. `}
        {may('usage:write') && 'Select a price to customize it.'}
      </Text>
      <RowList
        isInPage
        label="Built-in prices"
        rows={rowsOf(found?.map(withId))}
        columns={priceColumns}
        {...(may('usage:write') && { onOpen })}
        empty={
          <EmptyState icon={IconCoin} title={`No models match “${search}”`}>
            Add a custom price for this model.
          </EmptyState>
        }
      />
    </>
  )
}

const withId = (price: Price) => ({ ...price, id: priceId(price) })
