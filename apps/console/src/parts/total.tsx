import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './chart-card.module.css'

interface TotalProps {
  readonly name: string
  readonly value: string
  /** Details of the value. */
  readonly children: ReactNode
}

/** A figure of a list of totals. */
export function Total({ name, value, children }: TotalProps) {
  return (
    <div className={styles.card}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fz="lg" fw={650} data-figures>
        {value}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed" data-figures>
        {children}
      </Text>
    </div>
  )
}
