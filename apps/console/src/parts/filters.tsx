import type { ReactNode } from 'react'
import styles from './filters.module.css'

/** The filters above a list. On a phone they fill the width, in one or two columns. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>
}
