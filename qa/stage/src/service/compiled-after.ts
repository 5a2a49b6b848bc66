/**
 * The number of sessions after which V8 has optimized the code. After a third of them, a session still costs
 * 1.5 times as much.
 */
export const compiledAfterSessions = 3000
