import { createContext, useContext, useEffect } from 'react'

/** Tells the drawer that a dialog lies above it, or no longer does. Outside of drawers nobody is told. */
export const CoverDrawer = createContext<(isCovered: boolean) => void>(() => undefined)

/** While a dialog above a drawer is open, Escape is for the dialog alone. */
export function useCover(isOpen: boolean): void {
  const cover = useContext(CoverDrawer)
  useEffect(() => {
    if (!isOpen) return
    cover(true)
    // Later: the drawer would hear the same press of Escape that has closed the dialog.
    return () => void setTimeout(() => cover(false))
  }, [cover, isOpen])
}
