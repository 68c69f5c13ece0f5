// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-nested Nested tests
// snippet:about JUnit
// snippet:check
// snippet:prints 4 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;

@DisplayName("A new account")
class AccountTest {
    static class Account {
        private long cents;
        void deposit(long amount) { cents += Math.max(0, amount); }
        boolean withdraw(long amount) {
            if (amount < 0 || amount > cents) return false;
            cents -= amount;
            return true;
        }
    }

    // snippet:check
    @Test
    void takesNothingNegative() {
        account.deposit(-5);
        assertFalse(account.withdraw(-5));
        assertEquals(0, account.cents);
    }
    // snippet:end
    final Account account = new Account();

    @Test
    void isEmpty() { assertFalse(account.withdraw(1)); }

    @Nested
    @DisplayName("after a deposit")
    class AfterDeposit {
        @BeforeEach
        void deposit() { account.deposit(500); }

        @Test
        void paysOut() { assertTrue(account.withdraw(500)); }

        @Test
        void doesNotGoBelowZero() { assertFalse(account.withdraw(501)); }
    }
}
