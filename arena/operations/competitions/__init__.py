"""Operations on competitions and card tables."""
