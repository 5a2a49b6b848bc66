import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react'
import type { ConnectOptions } from '../realtime/connect.js'
import { VoiceBinding } from './voice-binding.js'

export interface ParleyProviderProps extends ConnectOptions {
  readonly children?: ReactNode
}

const BindingContext = createContext<VoiceBinding | null>(null)

/** Holds the conversation of all components below it, and ends it on unmount. Changed options apply from the next start. */
export function ParleyProvider({ children, ...options }: ParleyProviderProps): ReactElement {
  const [binding] = useState(() => new VoiceBinding(options))
  useEffect(() => {
    binding.options = options
  })
  useEffect(() => binding.hold(), [binding])
  return createElement(BindingContext.Provider, { value: binding }, children)
}

export function useBinding(): VoiceBinding {
  const binding = useContext(BindingContext)
  if (binding === null) throw new Error('There is no <ParleyProvider> around this component.')
  return binding
}
