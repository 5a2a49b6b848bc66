import { Group, Text, Title, type TitleOrder } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './chart-card.module.css'

/** A color of the chart with its meaning. */
export interface LegendEntry {
  readonly label: string
  readonly color: 'green' | 'orange'
}

interface ChartCardProps {
  readonly title: string
  readonly order?: TitleOrder
  readonly legend?: readonly LegendEntry[]
  readonly children: ReactNode
}

/** A chart with its title and legend. */
export function ChartCard({ title, order = 3, legend = [], children }: ChartCardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={order} fz="sm">
          {title}
        </Title>
        <Group gap="sm">
          {legend.map(({ label, color }) => (
            <Group key={color} gap={5} wrap="nowrap">
              <span className={styles.dot} data-color={color} aria-hidden />
              <Text size="xs" data-figures>
                {label}
              </Text>
            </Group>
          ))}
        </Group>
      </Group>
      {children}
    </section>
  )
}
