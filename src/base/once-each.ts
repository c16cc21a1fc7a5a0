/** Returns a function that computes its result once for each object, and keeps it as long as the object. */
export function onceEach<Key extends WeakKey, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const result = results.get(key) ?? { value: compute(key) };
    results.set(key, result);
    return result.value;
  };
}
