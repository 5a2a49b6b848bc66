import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './tab-strip.module.css'

/** The tabs of a page in one line. If the line is too long, it shows the active tab and a shadow at the hidden ones. */
export function TabStrip({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[id$="-tab-${value}"]`)
    if (!list.current || !tab) return
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [value])
  return (
    <Tabs.List ref={list} className={styles.strip}>
      {children}
    </Tabs.List>
  )
}
