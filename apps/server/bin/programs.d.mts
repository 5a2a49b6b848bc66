export declare const bundle: URL
export declare const bundleStamp: URL
export declare function isBundleCurrent(): boolean
export declare function findProgram(name: 'main' | 'parley'): URL
