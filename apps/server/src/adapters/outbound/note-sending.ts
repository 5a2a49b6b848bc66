import type { Dispatcher } from 'undici'

/**
 * Calls back when a request has a connection and starts to be sent. Before that, the server cannot have
 * acted on it.
 */
export function noteSending(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        onSent()
        handler.onRequestStart?.(controller, context)
      },
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...failure) => handler.onResponseError?.(...failure),
    })
}
