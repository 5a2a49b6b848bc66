import { createContext, useContext, useEffect } from 'react'

/** Tells the drawer whether a dialog is open above it. Does nothing outside a drawer. */
export const CoverDrawer = createContext<(isCovered: boolean) => void>(() => undefined)

/** While a dialog is open above a drawer, Escape closes only the dialog. */
export function useCover(isOpen: boolean): void {
  const cover = useContext(CoverDrawer)
  useEffect(() => {
    if (!isOpen) return
    cover(true)
    // The call is deferred, because the drawer would receive the same Escape press that closed the dialog.
    return () => void setTimeout(() => cover(false))
  }, [cover, isOpen])
}
