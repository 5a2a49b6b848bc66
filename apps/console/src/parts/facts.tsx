import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** Names and values as a list. Empty values are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(facts)
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <Text component="dt" size="sm" c="dimmed" className={styles.name}>
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className={styles.value}>
              {value}
            </Text>
          </Fragment>
        ))}
    </dl>
  )
}
