;; Takes the mask off the bytes from $at to $end, sixteen at a time, where they lie; their key, which is before them, becomes
;; zeros, and what is behind them stays as it is. Returns whether all are ASCII, none a control character and none a backslash.
(module
  (memory (export "memory") 3)
  (func (export "unmask") (param $at i32) (param $end i32) (result i32)
    (local $keyAt i32)
    (local $key i32)
    (local $keys v128)
    (local $bytes v128)
    (local $smallest v128)
    (local $backslashes v128)
    (local $behind v128)
    (local.set $keyAt (i32.sub (local.get $at) (i32.const 4)))
    (local.set $key (i32.load (local.get $keyAt)))
    (i32.store (local.get $keyAt) (i32.const 0))
    (local.set $keys (i32x4.splat (local.get $key)))
    (local.set $smallest (i8x16.splat (i32.const 0x7f)))
    (local.set $behind (v128.load (local.get $end)))

    ;; What is unmasked behind the end comes out as spaces, which change nothing.
    (v128.store (local.get $end)
      (v128.xor
        (i8x16.splat (i32.const 0x20))
        (i32x4.splat
          (i32.rotr (local.get $key)
            (i32.shl (i32.sub (local.get $end) (local.get $at)) (i32.const 3))))))

    (block $isDone
      (loop $next
        (br_if $isDone (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bytes (v128.xor (v128.load (local.get $at)) (local.get $keys)))
        (v128.store (local.get $at) (local.get $bytes))
        ;; Those beyond ASCII are below zero here.
        (local.set $smallest (i8x16.min_s (local.get $smallest) (local.get $bytes)))
        (local.set $backslashes
          (v128.or (local.get $backslashes) (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))

    (v128.store (local.get $end) (local.get $behind))
    (i32.and
      (i8x16.all_true (i8x16.ge_s (local.get $smallest) (i8x16.splat (i32.const 0x20))))
      (i32.eqz (v128.any_true (local.get $backslashes))))))
