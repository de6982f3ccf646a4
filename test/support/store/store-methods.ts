import type { Store } from '../../../src/store/port.ts';

/** The store with other methods in place of its own. */
export function withMethods(methods: (store: Store) => Partial<Store>): (store: Store) => Store {
  return (store) => {
    const others: Partial<Store> = methods(store);
    return new Proxy(store, {
      get(target, name) {
        if (name in others) return others[name as keyof Store];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}
